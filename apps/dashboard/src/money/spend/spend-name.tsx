import { Link } from '@tanstack/react-router'
import type { MoneyPlace } from '../place.ts'
import type { SpendGroup } from './groups.ts'

interface Props {
  readonly place: MoneyPlace
  readonly by: SpendGroup
  readonly name: string | null
}

/** The name of a row of spend; a session and a project lead to their pages. */
export function SpendName({ place, by, name }: Props) {
  if (name === null) return <span className="faint">none</span>
  if (by === 'day') return <time dateTime={name}>{dayFormat.format(new Date(`${name}T00:00:00Z`))}</time>
  if (place.kind === 'project' && by === 'session')
    return (
      <Link
        to="/projects/$project_id/sessions/$session_id"
        params={{ project_id: place.project_id, session_id: name }}
      >
        {name.slice(0, 8)}
      </Link>
    )
  if (place.kind === 'account' && by === 'project') return <ProjectName place={place} project_id={name} />
  return name
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

interface ProjectNameProps {
  readonly place: Extract<MoneyPlace, { kind: 'account' }>
  readonly project_id: string
}

/** A project of an account that leads to its models; one that is gone has its id alone. */
export function ProjectName({ place, project_id }: ProjectNameProps) {
  const name = place.projects.get(project_id)
  if (name === undefined) return <code>{project_id.slice(0, 8)}</code>
  return (
    <Link to="/projects/$project_id/models" params={{ project_id }}>
      {name}
    </Link>
  )
}
