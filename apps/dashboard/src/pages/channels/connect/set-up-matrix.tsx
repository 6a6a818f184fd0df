import type { Channel } from '@svc/sdk'
import { Copy } from '../../../parts/copy.tsx'
import { reactions } from './matrix-reactions.ts'
import { Codes, Step } from './set-up-steps.tsx'

/** The steps in a room of Matrix; the homeserver itself needs no settings. */
export function SetUpMatrix({ channel: { identity } }: { readonly channel: Channel }) {
  return (
    <section className="grid gap-3" aria-label="Steps in a room of Matrix">
      <p className="hint">The homeserver needs no settings. In a room that is not encrypted:</p>
      <ol className="grid list-decimal gap-3 pl-5">
        <Step title="Invite the bot">
          {identity !== null && (
            <>
              It is <code className="break-all">{identity.user_id}</code>{' '}
              <Copy text={identity.user_id} label="Copy the id of the bot" />.{' '}
            </>
          )}
          It accepts by itself, and reads what is written from the invitation on. Rooms that are encrypted are
          not read.
        </Step>
        <Step title="Name it in a message">
          Choose it from the list of your client, or begin with its name
          {identity !== null && (
            <>
              : <Codes of={[`${identity.name}: Why does the build fail?`]} />
            </>
          )}
          . A room of two needs no mention. The first message of each person is answered by a link in a direct
          room, which says who they are here.
        </Step>
        <Step title="Reactions are buttons">
          The bot puts them under a card; press one, or add it yourself.
        </Step>
      </ol>
      <dl className="facts pl-5">
        {reactions.map(([reaction, meaning]) => (
          <div key={reaction} className="contents">
            <dt>{reaction}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
