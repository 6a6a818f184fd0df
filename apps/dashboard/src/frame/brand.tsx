import { Link } from '@tanstack/react-router'
import { useMe } from './use-me.ts'
import { useProject, useProjectId } from './use-project.ts'

/** The name above the navigation: that of the account whose project is open, else of the person's first. */
export function Brand() {
  const { data: me } = useMe()
  const project_id = useProjectId()
  return project_id === undefined ? (
    <BrandOf account_id={me?.account_id} />
  ) : (
    <ProjectBrand project_id={project_id} />
  )
}

function ProjectBrand({ project_id }: { readonly project_id: string }) {
  const { data } = useProject(project_id)
  return <BrandOf account_id={data?.account_id} />
}

function BrandOf({ account_id }: { readonly account_id: string | undefined }) {
  const { data: me } = useMe()
  const branding = me?.accounts.find((one) => one.account_id === account_id)?.branding
  const name = branding?.display_name ?? 'svc'
  return (
    <Link to="/" className="nav-brand">
      {branding?.accent != null && (
        <svg className="brand-mark" viewBox="0 0 12 12" aria-hidden>
          <rect width="12" height="12" rx="3" fill={branding.accent} />
        </svg>
      )}
      <span className="truncate text-16 font-semibold text-n12" dir="auto" aria-hidden>
        {name}
      </span>
      <span className="sr-only">{name}, all that waits</span>
    </Link>
  )
}
