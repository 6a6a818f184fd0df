import type { Channel } from '@svc/sdk'
import { Copy } from '../../../parts/copy.tsx'
import { Codes, Step } from './set-up-steps.tsx'
import { appsUrl, botEvents, botScopes } from './slack-app.ts'

/** The settings of the app at Slack, step by step. */
export function SetUpSlack({ channel }: { readonly channel: Channel }) {
  const { receive_url, transport, identity } = channel
  const bot = identity === null ? '@bot' : `@${identity.name}`
  return (
    <section className="grid gap-3" aria-label="Settings of the app at Slack">
      <p className="hint">
        In the settings of your app at{' '}
        <a href={appsUrl} target="_blank" rel="noreferrer">
          api.slack.com/apps
        </a>
        :
      </p>
      <ol className="grid list-decimal gap-3 pl-5">
        {transport === 'socket' && (
          <Step title="Socket Mode">Switch it on. The app-level token has the scope connections:write.</Step>
        )}
        <Step title="OAuth & Permissions">
          Bot token scopes: <Codes of={botScopes} />. Install the app again when you add one.
        </Step>
        <Step title="Event Subscriptions">
          Switch them on.{' '}
          {receive_url !== null && (
            <>
              Request URL: <Address url={receive_url} label="Copy the request URL" />
            </>
          )}{' '}
          Subscribe to the bot events <Codes of={botEvents} />.
        </Step>
        <Step title="Interactivity & Shortcuts">
          Switch it on, for the buttons under messages.{' '}
          {receive_url !== null && (
            <>
              Request URL: the same, <Address url={receive_url} label="Copy the URL for interactivity" />
            </>
          )}
        </Step>
        <Step title="In a conversation">
          Invite the bot: <Codes of={[`/invite ${bot}`]} />, and name it in a message. The first message of
          each person is answered by a link, which says who they are here.
        </Step>
      </ol>
    </section>
  )
}

function Address({ url, label }: { readonly url: string; readonly label: string }) {
  return (
    <>
      <code className="break-all">{url}</code> <Copy text={url} label={label} />
    </>
  )
}
