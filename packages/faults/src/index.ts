// The engine of the fault studio for programs: plays faults against an app and grades it. Its command is
// main.ts. Contract §15.

export type { Bar, Grade, JudgedCheck, Level, PlayedFault } from '@chartside/protocol/fault-grade'
export { type Comparison, compareRuns, type Run } from '@chartside/protocol/fault-run'
export { RunError } from './app-process.ts'
export { FAULT_NAMES } from './catalog.ts'
export { formatJunit, formatRun } from './report.ts'
export { type RunOptions, runFaults } from './run.ts'
export { RunFolder, runIdOf } from './run-folder.ts'
