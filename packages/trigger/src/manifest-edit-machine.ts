import { machine, type StateOf } from '@svc/machine'

/** An edit of a trigger's entry. finish: the default branch holds it. refuse: it does not, and the caller is told why. */
export const manifestEditMachine = machine({
  pending: { finish: 'done', refuse: 'refused' },
  done: {},
  refused: {},
})

export type ManifestEditStatus = StateOf<typeof manifestEditMachine>
