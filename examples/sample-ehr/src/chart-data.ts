// The charts of the two sample EHRs: invented patients with obviously invented findings, so that a
// screenshot is never taken for a real record. Plain data; owns no markup.

export interface Visit {
  readonly time: string
  readonly patient: string
  readonly reason: string
  readonly state: 'done' | 'now' | 'next'
}

export interface Vital {
  readonly name: string
  readonly value: string
  readonly unit: string
  readonly trend: readonly number[]
}

export interface Result {
  readonly name: string
  readonly value: string
  readonly range: string
  readonly flag?: 'high' | 'low'
}

export interface Chart {
  readonly ehrType: string
  readonly patient: {
    readonly name: string
    readonly facts: readonly string[]
    /** Null: none known. */
    readonly allergy: string | null
  }
  readonly schedule: readonly Visit[]
  readonly vitals: readonly Vital[]
  readonly problems: readonly (readonly [problem: string, since: string])[]
  readonly medications: readonly (readonly [name: string, dose: string])[]
  readonly results: readonly Result[]
  readonly lastVisit: string
}

const meadow: Chart = {
  ehrType: 'meadow',
  patient: {
    name: 'Marigold Testerly',
    facts: ['54 years', 'Female', 'Born Jan 2, 1972', 'Chart TEST-0042'],
    allergy: 'Imaginary pollen (sneezing)',
  },
  schedule: [
    { time: '8:30', patient: 'Fern Placeholder', reason: 'Annual visit', state: 'done' },
    { time: '9:00', patient: 'Rowan Sampleton', reason: 'Sore throat', state: 'done' },
    { time: '9:30', patient: 'Marigold Testerly', reason: 'Blood pressure', state: 'now' },
    { time: '10:15', patient: 'Basil Mockford', reason: 'New patient', state: 'next' },
    { time: '10:45', patient: 'Clover Dummett', reason: 'Vaccination', state: 'next' },
    { time: '11:15', patient: 'Sage Fictional', reason: 'Follow-up', state: 'next' },
  ],
  vitals: [
    {
      name: 'Blood pressure',
      value: '134/84',
      unit: 'mmHg',
      trend: [148, 144, 141, 139, 136, 134],
    },
    { name: 'Pulse', value: '72', unit: 'per minute', trend: [78, 75, 76, 73, 74, 72] },
    { name: 'Weight', value: '71.4', unit: 'kg', trend: [74, 73.6, 73.1, 72.4, 72, 71.4] },
    { name: 'Oxygen', value: '98', unit: '%', trend: [97, 98, 98, 97, 98, 98] },
  ],
  problems: [
    ['Hypertension, made up', '2021'],
    ['Seasonal allergies, invented', '2016'],
    ['Prediabetes, for show', '2024'],
  ],
  medications: [
    ['Samplopril', '10 mg each morning'],
    ['Placebostatin', '20 mg at night'],
    ['Vitamin Z', '1 tablet weekly'],
  ],
  results: [
    { name: 'HbA1c', value: '5.9 %', range: '4.0–5.6', flag: 'high' },
    { name: 'Creatinine', value: '0.9 mg/dL', range: '0.6–1.1' },
    { name: 'Potassium', value: '4.2 mmol/L', range: '3.5–5.1' },
  ],
  lastVisit:
    'Walks the dog twice a day and has cut down on salt. Home readings average 136/85. Continue Samplopril; check again in three months.',
}

const summit: Chart = {
  ehrType: 'summit',
  patient: {
    name: 'Granite Exampleson',
    facts: ['67 years', 'Male', 'Born Dec 31, 1958', 'MRN 000-TEST-17'],
    allergy: null,
  },
  schedule: [
    { time: '08:00', patient: 'Ridge Faker', reason: 'Echo review', state: 'done' },
    { time: '08:40', patient: 'Granite Exampleson', reason: 'Heart failure clinic', state: 'now' },
    { time: '09:20', patient: 'Cliff Pretendham', reason: 'Palpitations', state: 'next' },
    { time: '10:00', patient: 'Sierra Notreal', reason: 'Device check', state: 'next' },
    { time: '10:40', patient: 'Dale Standin', reason: 'Pre-op', state: 'next' },
  ],
  vitals: [
    { name: 'BP', value: '118/70', unit: 'mmHg', trend: [132, 128, 130, 124, 121, 118] },
    { name: 'HR', value: '64', unit: 'bpm', trend: [81, 77, 74, 70, 66, 64] },
    { name: 'Weight', value: '83.1', unit: 'kg', trend: [86.2, 85.9, 85, 84.4, 83.6, 83.1] },
    { name: 'LVEF', value: '41', unit: '%', trend: [32, 33, 35, 38, 40, 41] },
  ],
  problems: [
    ['Heart failure, reduced EF (sample)', '2023'],
    ['Atrial fibrillation (sample)', '2022'],
    ['Hyperlipidemia (sample)', '2015'],
  ],
  medications: [
    ['Mockbisoprolol', '5 mg daily'],
    ['Fauxsartan', '97 mg twice daily'],
    ['Testagliflozin', '10 mg daily'],
    ['Dummyxaban', '5 mg twice daily'],
  ],
  results: [
    { name: 'NT-proBNP', value: '842 pg/mL', range: '< 300', flag: 'high' },
    { name: 'Potassium', value: '4.9 mmol/L', range: '3.5–5.1' },
    { name: 'eGFR', value: '58 mL/min', range: '> 60', flag: 'low' },
    { name: 'LDL', value: '68 mg/dL', range: '< 70' },
  ],
  lastVisit:
    'Two flights of stairs without stopping. No swelling. Weight down 0.5 kg since last week. Up-titrate Fauxsartan if potassium stays below 5.0.',
}

export const CHARTS: readonly Chart[] = [meadow, summit]
