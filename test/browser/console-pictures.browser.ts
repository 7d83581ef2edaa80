// The states of the frame, of people and of settings that cost little: each is played on the real service, and axe-core
// finds nothing in it. `npm run tool -- pictures` plays all states in every view, and takes the pictures.
import { playOffice } from './pictures/office-play.ts'
import { testQuickChapters } from './pictures/plays.ts'

testQuickChapters(playOffice)
