// All faults, in the order of a launch. The names are stable: reports and pipelines cite them. Plain data;
// the engine is run.ts.
import { CALLBACK_FAULTS } from './catalog/callback.ts'
import { EXCHANGE_FAULTS } from './catalog/exchange.ts'
import { ID_TOKEN_FAULTS } from './catalog/id-token.ts'
import { LAUNCH_FAULTS } from './catalog/launch.ts'
import { RUNNING_FAULTS } from './catalog/running.ts'
import type { Fault } from './fault.ts'

export const FAULTS: readonly Fault[] = [
  ...LAUNCH_FAULTS,
  ...CALLBACK_FAULTS,
  ...EXCHANGE_FAULTS,
  ...ID_TOKEN_FAULTS,
  ...RUNNING_FAULTS,
]

export const FAULT_NAMES: readonly string[] = FAULTS.map(({ name }) => name)
