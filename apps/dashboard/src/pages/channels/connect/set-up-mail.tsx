import type { Channel } from '@svc/sdk'
import { Copy } from '../../../parts/copy.tsx'
import { Step } from './set-up-steps.tsx'

/** Writing to a channel of mail; the mail server itself is the operator's. */
export function SetUpMail({ channel: { identity } }: { readonly channel: Channel }) {
  return (
    <section className="grid gap-3" aria-label="Steps by mail">
      <ol className="grid list-decimal gap-3 pl-5">
        <Step title="Write to it">
          {identity !== null && (
            <>
              The address is <code className="break-all">{identity.user_id}</code>{' '}
              <Copy text={identity.user_id} label="Copy the address" />.{' '}
            </>
          )}
          Subject and text of the first mail are what the agent is asked to do.
        </Step>
        <Step title="Link yourself">
          The first mail of each person is answered by a link, which says who they are here. What they wrote
          starts by itself then. A mail whose sender the mail server does not vouch for is answered by
          nothing: it stands under Received.
        </Step>
        <Step title="Reply">
          A reply above the line goes to the same session. Questions and change requests are mails with a link
          to their page, where the buttons are.
        </Step>
      </ol>
    </section>
  )
}
