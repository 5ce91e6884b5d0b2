/** Owns: the build's variables, which `npx convex dev` writes into .env.local. */
interface ImportMetaEnv {
  readonly VITE_CONVEX_URL?: string;
  readonly VITE_CONVEX_SITE_URL?: string;
}
