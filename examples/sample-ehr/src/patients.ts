// Invented patients with obviously invented findings, so that a screenshot is never taken for a real
// record. Each has a number, from which the findings follow. Plain data; owns no markup.

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

export interface Patient {
  /** Names the chart in an address. */
  readonly id: string
  readonly name: string
  readonly facts: readonly string[]
  /** The allergy; null when none is known. */
  readonly allergy: string | null
  readonly vitals: readonly Vital[]
  readonly problems: readonly (readonly [problem: string, since: string])[]
  readonly medications: readonly (readonly [name: string, dose: string])[]
  readonly results: readonly Result[]
  readonly lastVisit: string
}

const PROBLEMS = [
  ['Hypertension, made up', '2021'],
  ['Seasonal allergies, invented', '2016'],
  ['Prediabetes, for show', '2024'],
  ['Heart failure, reduced EF (sample)', '2023'],
  ['Knee pain, pretended', '2022'],
  ['Hyperlipidemia (sample)', '2015'],
  ['Migraine, imagined', '2019'],
] as const

const MEDICATIONS = [
  ['Samplopril', '10 mg each morning'],
  ['Placebostatin', '20 mg at night'],
  ['Vitamin Z', '1 tablet weekly'],
  ['Mockbisoprolol', '5 mg daily'],
  ['Fauxsartan', '97 mg twice daily'],
  ['Dummyxaban', '5 mg twice daily'],
] as const

const RESULTS: readonly Result[] = [
  { name: 'Hemoglobin A1c', value: '5.9 %', range: '< 5.7', flag: 'high' },
  { name: 'LDL', value: '118 mg/dL', range: '< 130' },
  { name: 'Potassium', value: '4.3 mmol/L', range: '3.5–5.1' },
  { name: 'eGFR', value: '58 mL/min', range: '> 60', flag: 'low' },
  { name: 'Ferritin', value: '41 ng/mL', range: '15–150' },
]

const ALLERGIES = ['Imaginary pollen (sneezing)', null, 'Pretendicillin (rash)', null] as const

const VISITS = [
  'Feels well on the new dose. Home readings of 128 to 136 over 80. Walks the dog twice daily. Repeat labs before the next visit.',
  'Two flights of stairs without stopping. No swelling. Weight down 0.5 kg since last week.',
  'Slept better with the evening dose. No new complaints. Back in six weeks.',
] as const

/** Returns `count` of the list from a place that follows from the number. */
const pick = <Item>(list: readonly Item[], number: number, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => list[(number + index) % list.length]).flatMap(
    (item) => (item === undefined ? [] : [item]),
  )

/** Returns six readings that end at the last one. */
const fall = (last: number, step: number): number[] =>
  [5, 3.6, 2.8, 1.5, 0.7, 0].map((factor) => Number((last + factor * step).toFixed(1)))

export function inventPatient(number: number, name: string, about: string): Patient {
  const systolic = 116 + ((number * 7) % 30)
  const pulse = 62 + ((number * 5) % 20)
  const weight = 58.2 + ((number * 11) % 32)
  const chart = `TEST-${String(number).padStart(4, '0')}`
  return {
    id: chart.toLowerCase(),
    name,
    facts: [...about.split(', '), `Chart ${chart}`],
    allergy: pick(ALLERGIES, number, 1)[0] ?? null,
    vitals: [
      {
        name: 'Blood pressure',
        value: `${systolic}/${systolic - 48}`,
        unit: 'mmHg',
        trend: fall(systolic, 3),
      },
      { name: 'Pulse', value: `${pulse}`, unit: 'per minute', trend: fall(pulse, -1) },
      { name: 'Weight', value: weight.toFixed(1), unit: 'kg', trend: fall(weight, 0.6) },
      { name: 'Oxygen', value: '98', unit: '%', trend: [97, 98, 98, 97, 98, 98] },
    ],
    problems: pick(PROBLEMS, number, 3),
    medications: pick(MEDICATIONS, number, 3),
    results: pick(RESULTS, number, 4),
    lastVisit: pick(VISITS, number, 1)[0] ?? '',
  }
}
