// The states of launches, EHR sessions and audit that cost little: each is played on the real service, and axe-core
// finds nothing in it. `npm run tool -- pictures` plays all states in every view, and takes the pictures.
import { buildLaunchesScenarios } from './pictures/launch-scenarios.ts'
import { testQuickScenarios } from './pictures/scenarios.ts'

testQuickScenarios(buildLaunchesScenarios)
