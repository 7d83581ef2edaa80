// The states of apps and of what runs where that cost little: each is played on the real service, and axe-core
// finds nothing in it. `npm run tool -- pictures` plays all states in every view, and takes the pictures.
import { testQuickScenarios } from './pictures/scenarios.ts'
import { buildSetupScenarios } from './pictures/setup-scenarios.ts'

testQuickScenarios(buildSetupScenarios)
