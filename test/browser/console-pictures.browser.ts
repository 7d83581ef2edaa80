// The states of the frame, of people and of settings that cost little: each is played on the real service, and axe-core
// finds nothing in it. `npm run tool -- pictures` plays all states in every view, and takes the pictures.
import { buildOfficeScenarios } from './pictures/office-scenarios.ts'
import { testQuickScenarios } from './pictures/scenarios.ts'

testQuickScenarios(buildOfficeScenarios)
