// The care gaps of each practice and which of them are closed, in memory. The practice is the
// account of a verified ID token. All patients are invented.

export interface Gap {
  readonly id: string
  readonly patient: string
  readonly what: string
  readonly due: string
  readonly closed: boolean
}

const SAMPLES: readonly Omit<Gap, 'closed'>[] = [
  { id: 'a1c', patient: 'Marigold Testerly', what: 'HbA1c', due: '3 weeks overdue' },
  { id: 'eye', patient: 'Rowan Sampleton', what: 'Eye examination', due: '2 months overdue' },
  { id: 'flu', patient: 'Clover Dummett', what: 'Flu vaccination', due: 'this autumn' },
  { id: 'bp', patient: 'Basil Mockford', what: 'Blood pressure review', due: 'next week' },
  { id: 'colon', patient: 'Fern Placeholder', what: 'Bowel screening', due: 'this year' },
]

export class GapList {
  readonly #closed = new Map<string, ReadonlySet<string>>()

  list(accountId: string): readonly Gap[] {
    const closed = this.#closed.get(accountId)
    return SAMPLES.map((gap) => ({ ...gap, closed: closed?.has(gap.id) ?? false }))
  }

  update(accountId: string, id: string, isClosed: boolean): readonly Gap[] {
    const closed = new Set(this.#closed.get(accountId))
    if (!isClosed) closed.delete(id)
    else if (SAMPLES.some((gap) => gap.id === id)) closed.add(id)
    this.#closed.set(accountId, closed)
    return this.list(accountId)
  }
}
