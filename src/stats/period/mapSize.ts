/** Owns: the size in which the map is drawn; on screen it is as wide as its place. Kept free before the map is loaded. */
export const MAP_WIDTH = 720;
export const MAP_HEIGHT = 310;
