import { isApiError, type Project } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

type Step = 'reach' | 'branch' | 'manifest' | 'done'
const order: readonly Step[] = ['reach', 'branch', 'manifest', 'done']

interface Found {
  readonly project: Project
  readonly manifest: string | null
}

/** A project on a repository that is there: it is reached, its branch is found, its manifest is read, and each is told. */
export function ConnectForm() {
  const client = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [repo_url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [step, setStep] = useState<Step | null>(null)
  const connect = useMutation({
    mutationFn: async (): Promise<Found> => {
      setStep('reach')
      const project = await client.projects.connect({
        name: name.trim(),
        repo_url: repo_url.trim(),
        ...(token === '' ? {} : { credential: { token } }),
      })
      setToken('')
      setStep('manifest')
      const manifest = await manifestOf(project.project_id)
      setStep('done')
      await queries.invalidateQueries({ queryKey: ['projects'] })
      return { project, manifest }
    },
  })
  async function manifestOf(project_id: string): Promise<string | null> {
    for (const path of ['svc.yaml', 'svc.toml']) {
      try {
        await client.projects.files.read(project_id, { path })
        return path
      } catch (error) {
        if (!isApiError(error) || error.status !== 404) throw error
      }
    }
    return null
  }
  const { data } = connect
  return (
    <form
      className="grid max-w-lg gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!connect.isPending) connect.mutate()
      }}
    >
      <Field label="Name" value={name} onChange={setName} required maxLength={200} />
      <Field
        label="Repository URL"
        value={repo_url}
        onChange={setUrl}
        required
        inputMode="url"
        placeholder="https://git.example.org/team/shop.git"
      />
      <Field
        label="Access token (for a private repository)"
        value={token}
        onChange={setToken}
        type="password"
        autoComplete="off"
        hint="Kept sealed, and sent to that repository alone."
      />
      <p>
        <button
          type="submit"
          className="button primary"
          disabled={connect.isPending || data !== undefined || name.trim() === '' || repo_url.trim() === ''}
        >
          {connect.isPending ? 'Connecting…' : 'Connect'}
        </button>
      </p>
      {step !== null && (
        <ol className="grid gap-2" aria-label="Progress">
          <StepLine at="reach" step={step} failed={connect.isError} words="The repository is reached" />
          <StepLine
            at="branch"
            step={step}
            failed={connect.isError}
            words={data ? `Default branch: ${data.project.default_branch}` : 'Its default branch is found'}
          />
          <StepLine
            at="manifest"
            step={step}
            failed={connect.isError}
            words={data === undefined ? 'Its manifest is read' : manifestWords(data.manifest)}
          />
        </ol>
      )}
      <Failure error={connect.error} />
      {data !== undefined && (
        <p>
          <Link
            to="/projects/$project_id/sessions"
            params={{ project_id: data.project.project_id }}
            className="button primary"
          >
            Open the project
          </Link>
        </p>
      )}
    </form>
  )
}

function manifestWords(manifest: string | null): string {
  return manifest === null
    ? 'No manifest yet: let a first session write svc.yaml, and merge what it opens'
    : `Manifest: ${manifest}`
}

interface LineProps {
  readonly at: Step
  readonly step: Step
  readonly failed: boolean
  readonly words: string
}

function StepLine({ at, step, failed, words }: LineProps) {
  const done = order.indexOf(at) < order.indexOf(step)
  const here = at === step
  return (
    <li className="flex items-center gap-2 text-13">
      {done ? (
        <CircleCheck aria-label="done" className="glyph tone-ok" />
      ) : here && failed ? (
        <CircleX aria-label="failed" className="glyph tone-bad" />
      ) : (
        <CircleDashed aria-label={here ? 'running' : 'to come'} className="glyph tone-plain" />
      )}
      {words}
    </li>
  )
}
