/** Hears of what the engine itself could not do; failures of user code are in the function log already. Must not throw. */
export type OnProblem = (what: string, error: unknown) => void;
