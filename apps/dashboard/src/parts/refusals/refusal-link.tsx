import { Link } from '@tanstack/react-router'

interface Help {
  readonly words: string
  readonly to: '/projects/$project_id/models' | '/projects/$project_id/settings'
  readonly tab?: 'budgets' | 'providers' | 'models'
}

const models = '/projects/$project_id/models'
const ownKey: Help = { words: 'Add a key of your own', to: models, tab: 'providers' }

/** The page that helps, by the code of a model call that was refused. */
const helps: Readonly<Record<string, Help>> = {
  budget_exceeded: { words: 'See the budgets', to: models, tab: 'budgets' },
  subscription_required: ownKey,
  no_account: ownKey,
  insufficient_credits: ownKey,
  rate_limit_exceeded: { words: 'Change the limits of its key', to: '/projects/$project_id/settings' },
}

interface Props {
  readonly project_id: string
  readonly code: string | null
}

/** Leads to where a call or a fire that was refused is settled; nothing for other codes. */
export function RefusalLink({ project_id, code }: Props) {
  const help = code === null ? undefined : helps[code]
  if (help === undefined) return null
  const { words, to, tab } = help
  return (
    <Link to={to} params={{ project_id }} {...(tab !== undefined && { search: { tab } })}>
      {words}
    </Link>
  )
}
