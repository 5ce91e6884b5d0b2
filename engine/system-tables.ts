/** Owns: the names of the tables that the engine writes and user code reads, in every component. Not: their rows. */

/** A row for each file. */
export const FILE_TABLE = "_storage";
export const SCHEDULED_FUNCTIONS = "_scheduled_functions";
