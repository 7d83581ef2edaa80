// What every command uses: settings, clock, randomness, explained failures and text for a terminal. Loads
// no driver of a database, because `chartside health` runs every few seconds.
// A part of the contract with @chartside/operator (README.md); owns nothing itself.

export { type Config, describeConfig, parseConfig } from '../config/config.ts'
export { explainFailure } from '../config/explain.ts'
export type { Environment } from '../config/setting.ts'
export { readVersion } from '../config/version.ts'
export { newId } from '../kernel/identifiers.ts'
export { type Clock, type Randomness, systemRandomness } from '../kernel/randomness.ts'
export { toTerminalText } from '../kernel/terminal-text.ts'
export { rfc3339 } from '../kernel/time.ts'
