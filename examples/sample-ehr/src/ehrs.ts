// The three sample EHRs: who comes today, and how each opens a chart. One loads a page for each chart, one
// replaces the page by pushState, one keeps the chart in the fragment; SAMPLE_EHRS of the service has the
// patterns that find the chart in their addresses. Contract §11.
import { inventPatient, type Patient } from './patients.ts'

export interface Visit {
  readonly time: string
  readonly patient: Patient
  readonly reason: string
  readonly state: 'done' | 'now' | 'next'
}

export interface Ehr {
  readonly ehrType: string
  readonly routing: 'navigation' | 'push' | 'hash'
  /** The page without a chart. */
  readonly path: string
  readonly visits: readonly Visit[]
}

/** The address of a chart, or of another page of it; relative to the origin. */
export function chartAddress({ routing, path }: Ehr, { id }: Patient, page?: 'results'): string {
  const rest = page === undefined ? id : `${id}/${page}`
  return routing === 'hash' ? `${path}#/p/${rest}` : `${path}/${rest}`
}

/** The chart that is open when the day begins. */
export const firstChart = (ehr: Ehr): string => {
  const visit = ehr.visits.find(({ state }) => state === 'now')
  return visit ? chartAddress(ehr, visit.patient) : ehr.path
}

const STATES = ['done', 'now', 'next', 'next'] as const

const listVisits = (visits: readonly (readonly [string, Patient, string])[]): Visit[] =>
  visits.map(([time, patient, reason], index) => ({
    ...{ time, patient, reason },
    state: STATES[index] ?? 'next',
  }))

export const EHRS: readonly Ehr[] = [
  {
    ehrType: 'meadow',
    routing: 'navigation',
    path: '/meadow/patients',
    visits: listVisits([
      ['9:00', inventPatient(40, 'Fern Placeholder', '37 years, Female'), 'Annual visit'],
      ['9:30', inventPatient(42, 'Marigold Testerly', '54 years, Female'), 'Blood pressure'],
      ['10:15', inventPatient(43, 'Basil Mockford', '61 years, Male'), 'New patient'],
      ['10:45', inventPatient(44, 'Clover Dummett', '29 years, Female'), 'Vaccination'],
    ]),
  },
  {
    ehrType: 'summit',
    routing: 'push',
    path: '/summit/chart',
    visits: listVisits([
      ['8:40', inventPatient(70, 'Dale Standin', '66 years, Male'), 'Pre-op'],
      ['9:20', inventPatient(71, 'Granite Exampleson', '68 years, Male'), 'Heart failure'],
      ['10:00', inventPatient(72, 'Ridge Fakerton', '73 years, Male'), 'Device check'],
      ['10:40', inventPatient(73, 'Cliff Madeupson', '58 years, Male'), 'Chest pain'],
    ]),
  },
  {
    ehrType: 'harbor',
    routing: 'hash',
    path: '/harbor/app',
    visits: listVisits([
      ['9:10', inventPatient(20, 'Coral Pretendson', '45 years, Female'), 'Follow-up'],
      ['9:50', inventPatient(21, 'Finn Notreal', '33 years, Male'), 'Sore throat'],
      ['10:30', inventPatient(22, 'Pearl Sampleton', '70 years, Female'), 'Medication review'],
      ['11:00', inventPatient(23, 'Reef Fictional', '51 years, Male'), 'Back pain'],
    ]),
  },
]
