import type { Trigger } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Copy } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Instant, Moment } from '../../parts/moment.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { scheduleText } from './schedule-text.ts'

interface Props {
  readonly project_id: string
  readonly trigger: Trigger
}

/** The settings of a trigger as the default branch has them. */
export function TriggerFacts({ project_id, trigger }: Props) {
  return (
    <div className="grid gap-5">
      {trigger.type === 'cron' && <NextFires project_id={project_id} slug={trigger.slug} />}
      {trigger.webhook_url !== null && <Address url={trigger.webhook_url} secret={trigger.secret_env} />}
      <dl className="facts">
        <dt>Type</dt>
        <dd>{trigger.type}</dd>
        <dt>Fires</dt>
        <dd>{scheduleText(trigger)}</dd>
        <dt>Agent</dt>
        <dd>{trigger.agent}</dd>
        <dt>Session</dt>
        <dd>{trigger.session_mode}</dd>
        <dt>Overlap</dt>
        <dd>{trigger.overlap}</dd>
        {Object.keys(trigger.filter).length > 0 && (
          <>
            <dt>Filter</dt>
            <dd>
              {Object.entries(trigger.filter).map(([path, text]) => (
                <code key={path} className="block!">
                  {path} = {text}
                </code>
              ))}
            </dd>
          </>
        )}
      </dl>
      <section className="grid gap-1">
        <h2>Prompt</h2>
        <pre className="block" tabIndex={0} role="group" aria-label="Prompt of the trigger">
          {trigger.prompt_template}
        </pre>
      </section>
    </div>
  )
}

function NextFires({ project_id, slug }: { readonly project_id: string; readonly slug: string }) {
  const { triggers } = useClient().projects
  const next = useQuery({
    queryKey: ['trigger', project_id, slug, 'next'],
    queryFn: () => triggers.preview(project_id, slug),
  })
  return (
    <section className="grid gap-1">
      <h2>Next fires</h2>
      <Loaded query={next}>
        {(found) =>
          found.length === 0 ? (
            <p className="hint">None: its time is over.</p>
          ) : (
            <ol aria-label="Next fires" className="grid gap-1 text-13">
              {found.map((at) => (
                <li key={at}>
                  <Instant at={at} />{' '}
                  <span className="faint">
                    <Moment at={at} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  )
}

/** The secret is in the shell of the person who tries it, never in this page. */
function Address({ url, secret }: { readonly url: string; readonly secret: string | null }) {
  const name = secret ?? 'SECRET'
  const line = `body='{"text":"hello"}'; curl -sS ${url} -H "X-Svc-Signature: sha256=$(printf %s "$body" | openssl dgst -sha256 -hmac "$${name}" -r | cut -d' ' -f1)" -H 'Content-Type: application/json' -d "$body"`
  return (
    <section className="grid gap-2">
      <label className="label" htmlFor="webhook-address">
        Webhook address
      </label>
      <input id="webhook-address" className="input font-mono" readOnly value={url} />
      <p className="flex flex-wrap items-center gap-2">
        <Copy text={url} />
        <span className="faint">
          signed with the secret <code>{name}</code>
        </span>
      </p>
      <details>
        <summary className="hint">Try it from a shell</summary>
        <pre className="block mt-2" tabIndex={0} role="group" aria-label="Command that sends a delivery">
          {line}
        </pre>
        <Copy text={line} label="Copy the command" />
      </details>
    </section>
  )
}
