// Saves each change of a draft at once, one after the other, under the entity tag of the draft that the
// person sees. When another person has changed it (412), nothing more is saved until one version is chosen.
import type { Collection, CollectionContent } from '@chartside/protocol/payloads'
import { useSignal } from '@preact/signals'
import type { Answered } from '../../api/client.ts'
import { loadCollection, saveDraft } from '../../api/collections.ts'
import { ApiProblem, type Problem, problemOf } from '../../api/problem.ts'
import { announce } from '../../shell/announcements.ts'

export interface DraftEditing {
  /** The draft that the person sees, saved or not yet. */
  readonly draft: CollectionContent
  readonly isSaving: boolean
  readonly problem: Problem | undefined
  /** The draft that another person has saved since. */
  readonly theirs: Collection | undefined
  /** Saves a change of the page itself, which shows `problem` when it was not saved. */
  change(next: CollectionContent): void
  /** Saves a change of a dialog, which shows the problem itself. @throws ApiProblem */
  changeOrThrow(next: CollectionContent): Promise<void>
  takeTheirs(): void
  keepMine(): void
}

interface State {
  readonly saved: Answered<Collection>
  readonly draft: CollectionContent
  readonly isSaving: boolean
  readonly problem?: Problem
  readonly theirs?: Answered<Collection>
}

export function useDraft(
  read: Answered<Collection>,
  onSaved: (read: Answered<Collection>) => void,
): DraftEditing {
  const state = useSignal<State>({ saved: read, draft: read.data.draft, isSaving: false })
  const { id } = read.data
  const save = async (draft: CollectionContent, ifMatch: string | undefined) => {
    const { problem: _, ...rest } = state.value
    state.value = { ...rest, draft, isSaving: true }
    try {
      const saved = await saveDraft(id, draft, ifMatch)
      state.value = { saved, draft: saved.data.draft, isSaving: false }
      onSaved(saved)
      announce('Saved in the draft.')
    } catch (error) {
      const problem = problemOf(error)
      const isConflict = problem instanceof ApiProblem && problem.code === 'precondition_failed'
      const { saved } = state.value
      if (isConflict) {
        const theirs = await loadCollection(id)
        state.value = { saved, draft, isSaving: false, theirs }
        return
      }
      // What was not saved is not shown as if it were.
      state.value = { saved, draft: saved.data.draft, isSaving: false }
      throw problem
    }
  }
  const showProblem = (error: unknown) => {
    state.value = { ...state.value, problem: problemOf(error) }
  }
  const changeOrThrow = async (next: CollectionContent) => {
    if (state.value.isSaving || state.value.theirs) return
    await save(next, state.value.saved.etag)
  }
  const { draft, isSaving, problem, theirs } = state.value
  return {
    draft,
    isSaving,
    problem,
    theirs: theirs?.data,
    changeOrThrow,
    change: (next) => void changeOrThrow(next).catch(showProblem),
    takeTheirs() {
      if (!theirs) return
      state.value = { saved: theirs, draft: theirs.data.draft, isSaving: false }
      onSaved(theirs)
    },
    keepMine() {
      if (theirs) void save(draft, theirs.etag).catch(showProblem)
    },
  }
}
