import type { ChangeRequest } from '@svc/sdk'
import type { Shown } from './use-change-request.ts'

interface Props {
  readonly latest: ChangeRequest
  readonly shown: Shown
  readonly onShow: () => Promise<void>
}

/** A notice of what changed since the page was opened; the page itself waits until the reader wants it. */
export function NewCommits({ latest, shown: { cr }, onShow }: Props) {
  const what =
    latest.status !== cr.status
      ? `It is ${latest.status} now.`
      : latest.head_commit_sha !== cr.head_commit_sha
        ? 'New commits since you opened this.'
        : `${cr.base_ref} has moved since you opened this.`
  return (
    <p className="notice">
      {what}
      <button type="button" className="button small" onClick={() => void onShow()}>
        Show
      </button>
    </p>
  )
}
