import { isApiError } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../frame/use-me.ts'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { tokenIn } from '../../tokens/token-in.ts'
import { platformNames } from '../channels/channel-words.ts'
import { useFragmentToken } from './use-fragment-token.ts'

const placeNames = { chat_a: 'Workspace', chat_b: 'Homeserver', email: 'Address' } as const

/** The page that the link of a bot leads to: the sender who would act as the person, and the one button for it. */
export function LinkPage() {
  const [token, setToken] = useFragmentToken()
  return (
    <Page title="Link yourself" narrow>
      {token === '' ? <Paste onToken={setToken} /> : <Offer key={token} token={token} />}
    </Page>
  )
}

function Offer({ token }: { readonly token: string }) {
  const { channelLinks } = useClient()
  const { data: me } = useMe()
  const queries = useQueryClient()
  const preview = useQuery({
    queryKey: ['channel-link', token],
    queryFn: () => channelLinks.preview(token),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnReconnect: false,
  })
  const link = useMutation({
    mutationFn: () => channelLinks.link(token),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['channel-links'] }),
  })
  const offer = preview.data
  if (offer === undefined) return preview.isPending ? <Loading /> : <Refused error={preview.error} />
  const place = `${offer.tenant} (${platformNames[offer.platform]})`
  if (link.data !== undefined)
    return (
      <div role="status" className="grid justify-items-start gap-3">
        <p className="notice ok" dir="auto">
          {offer.display} in {place} acts as you now.
        </p>
        <p>What you wrote starts by itself; you can close this page.</p>
        <p className="hint">
          You end it at any time under{' '}
          <Link to="/account/$part" params={{ part: 'senders' }}>
            Linked senders
          </Link>
          .
        </p>
      </div>
    )
  return (
    <div className="grid max-w-lg gap-4">
      <dl className="facts">
        <dt>Sender</dt>
        <dd dir="auto" className="font-medium">
          {offer.display}
        </dd>
        <dt>{placeNames[offer.platform]}</dt>
        <dd dir="auto">{place}</dd>
        <dt>Wrote in</dt>
        <dd dir="auto">{offer.project.name}</dd>
        <dt>Acts as</dt>
        <dd dir="auto">{me?.email ?? 'you'}</dd>
      </dl>
      <p>
        What this sender writes to agents is done in your name and with your rights, in every project of the
        account.
      </p>
      <p className="notice warn">
        <span>Link it only if this sender is you, and you asked the bot for the link.</span>
      </p>
      <Refused error={link.error} />
      <p>
        <button
          type="button"
          className="button primary"
          disabled={link.isPending}
          onClick={() => link.mutate()}
        >
          Link
        </button>
      </p>
    </div>
  )
}

/** The refusal of a link, with what to do next where the person can do something. */
function Refused({ error }: { readonly error: unknown }) {
  const { data: me } = useMe()
  if (isApiError(error, 'link_not_found'))
    return (
      <div role="alert" className="notice warn">
        <p>
          This link was used already, is older than ten minutes, or is not for your account
          {me?.email !== undefined && <>: you are here as {me.email}</>}. Write to the bot once more, and open
          the new link.
        </p>
      </div>
    )
  if (isApiError(error, 'already_linked'))
    return (
      <div role="alert" className="notice warn">
        <p>
          This sender is linked to another person. They end that under Linked senders, or a manager of the
          project does on the page of the channel, under People. Then open a new link.
        </p>
      </div>
    )
  return <Failure error={error} />
}

function Paste({ onToken }: { readonly onToken: (token: string) => void }) {
  const [text, setText] = useState('')
  return (
    <form
      className="grid max-w-lg gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onToken(tokenIn(text))
      }}
    >
      <p className="hint">
        Open the link that the bot sent you once more, or paste it here. It works once, within ten minutes.
      </p>
      <Field
        label="Link"
        value={text}
        onChange={setText}
        required
        autoComplete="off"
        spellCheck={false}
        hint="The link of the message, or its token."
      />
      <p>
        <button type="submit" className="button primary" disabled={tokenIn(text) === ''}>
          Look
        </button>
      </p>
    </form>
  )
}
