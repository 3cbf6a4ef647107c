// Configuration from environment variables, validated whole at start with every fault listed at once.
// Contract part 10 (10.1, each variable also as NAME_FILE).
// Called by app/cli and app/main, by tests, and by the generator of docs/operate/configuration.md.
export { type Config, ConfigError, type MasterKey } from './config.ts'
export { parseEnvFile, readEnvWithFile } from './env-file.ts'
export { type LoadOptions, loadConfig } from './load-config.ts'
export { parseMasterKeys } from './master-keys.ts'
export type { Env } from './settings-reader.ts'
export { type ConfigVariable, configVariables } from './variables.ts'
