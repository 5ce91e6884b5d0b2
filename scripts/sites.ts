/**
 * Owns: `npm run sites`: the sites of a deployment, from the terminal.
 * Not: what its commands are (sites/commands.ts), or what they do (convex/sites.ts, convex/keys.ts).
 */
import { callFunction, namedDeployment, WHICH_DEPLOYMENT } from "./deployment.ts";
import type { Deployment } from "./deployment.ts";
import { BadOptions } from "./options.ts";
import { describe, usage } from "./sites/answers.ts";
import { parseCommand } from "./sites/commands.ts";
import type { Asked } from "./sites/commands.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const asked = parseCommand(args);
    if (asked === null) {
      console.log(usage());
      return 0;
    }
    const deployment = namedDeployment(asked.values);
    if (deployment === null) throw new BadOptions(WHICH_DEPLOYMENT);
    console.log(await answer(deployment, asked));
    return 0;
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function answer(deployment: Deployment, { command, call }: Asked): Promise<string> {
  if (command === "usage") await ask(deployment, "operators:settle", call.args);
  return describe(command, await ask(deployment, call.path, call.args));
}

async function ask(deployment: Deployment, path: string, args: object): Promise<unknown> {
  const answered = await callFunction(deployment, path, args).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
    throw new BadOptions(
      `${deployment.url} does not answer (${error.message}). ${WHICH_DEPLOYMENT}`,
    );
  });
  if (answered.ok) return answered.value;
  throw new BadOptions(answered.message);
}
