import { createMemoryStorage } from "./memory.ts";
import { describeStorage } from "./storage.compliance.helpers.ts";

describeStorage("memory", () => {
  const storage = createMemoryStorage();
  return {
    storage,
    crash() {
      storage.discard();
      return storage;
    },
    dispose: () => storage.close(),
  };
});
