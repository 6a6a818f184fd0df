import { ask, inProject, type Prepare, some } from './prepare.ts'

const review: Prepare = async (stage) => {
  const made = await ask(stage, 'POST', `${inProject(stage)}/review/items`, { title: some() })
  return { ids: { review_id: made.pick('review_id') } }
}

const reviewWithChanges: Prepare = async (stage) => {
  const made = await review(stage)
  const path = `${inProject(stage)}/review/items/${made.ids?.['review_id']}/act`
  await ask(stage, 'POST', path, { verdict: 'request_changes', version: 1, feedback: 'x' })
  return made
}

export const reviewMutations: Readonly<Record<string, Prepare>> = {
  submitReviewItem: async () => ({ body: { title: some() } }),
  actOnReviewItem: review,
  resubmitReviewItem: reviewWithChanges,
  withdrawReviewItem: review,
}
