// The engine of the fault studio for programs: plays faults against an app and grades it. Its command is
// main.ts. Contract §15.

export type { Bar, Grade, JudgedCheck, Level, PlayedFault } from '@chartside/protocol/fault-grade'
export { RunError } from './app-process.ts'
export { formatJunit, formatRun } from './report.ts'
export { type Run, type RunOptions, runFaults } from './run.ts'
