import type { Project } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../frame/use-project.ts'
import { Copy } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { KeyLimits } from '../../tokens/key-limits.tsx'
import { TokenList } from '../../tokens/token-list.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { Features } from './features.tsx'
import { settingsRoute } from './route.tsx'
import { Watch } from './watch.tsx'

/** The name of a project, its model, what it is given, its tokens, and its end. */
export function SettingsPage() {
  const { project_id } = settingsRoute.useParams()
  const client = useClient()
  const project = useProject(project_id)
  return (
    <Page title="Settings" narrow>
      <Loaded query={project}>
        {(found) => (
          <>
            <General project={found} />
            <Watch project_id={project_id} />
            <Features project_id={project_id} />
            <TokenList
              title="Project tokens"
              needs="project.credentials.issue"
              hint="Each acts in this project alone, for machines and scripts."
              queryKey={['project-tokens', project_id]}
              tokens={{
                list: () => client.projects.tokens.list(project_id),
                create: (input) => client.projects.tokens.create(project_id, input),
                revoke: (token_id) => client.projects.tokens.revoke(project_id, token_id),
              }}
            />
            <TokenList
              title="Gateway keys"
              needs="project.gateway.keys.manage"
              hint="Each calls models through the platform, and nothing else."
              queryKey={['gateway-keys', project_id]}
              tokens={{
                list: () => client.projects.gatewayKeys.list(project_id),
                create: (input) => client.projects.gatewayKeys.create(project_id, input),
                revoke: (token_id) => client.projects.gatewayKeys.revoke(project_id, token_id),
                rotate: (token_id, input) => client.projects.gatewayKeys.rotate(project_id, token_id, input),
              }}
              more={{
                column: 'Limits',
                cell: (key) => <KeyLimits project_id={project_id} gateway_key={key} />,
              }}
            />
            <Archive project={found} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function General({ project }: { readonly project: Project }) {
  const client = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState(project.name)
  const [model, setModel] = useState(project.default_model ?? '')
  const save = useMutation({
    mutationFn: () =>
      client.projects.update(project.project_id, {
        name: name.trim(),
        default_model: model.trim() === '' ? null : model.trim(),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['project', project.project_id] })
      await queries.invalidateQueries({ queryKey: ['projects'] })
      toast('Saved.')
    },
  })
  return (
    <form
      className="grid max-w-lg gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <h2>General</h2>
      <Field label="Name" value={name} onChange={setName} required />
      <Field
        label="Default model (optional)"
        value={model}
        onChange={setModel}
        placeholder="provider/model"
        hint="For sessions whose agent names none."
      />
      <dl className="facts">
        <dt>Repository</dt>
        <dd>
          <code>{project.git_origin_url ?? project.repo_url}</code>
        </dd>
        <dt>On your machine</dt>
        <dd className="flex flex-wrap items-center gap-2">
          <code>svc projects clone {project.slug}</code>
          <Copy text={`svc projects clone ${project.slug}`} />
        </dd>
        <dt>Default branch</dt>
        <dd>
          <code>{project.default_branch}</code>
        </dd>
      </dl>
      <Failure error={save.error} />
      <p>
        <GuardedButton needs="project.write" type="submit" className="button" disabled={save.isPending}>
          Save
        </GuardedButton>
      </p>
    </form>
  )
}

function Archive({ project }: { readonly project: Project }) {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const archive = useMutation({
    mutationFn: () => client.projects.archive(project.project_id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['projects'] })
      await navigate({ to: '/projects' })
    },
  })
  return (
    <section className="grid gap-2 border-t border-n6 pt-4">
      <h2>Archive</h2>
      <p className="hint">Its sandboxes stop, and nothing of it is served any more.</p>
      <p>
        <GuardedButton needs="project.delete" className="button danger" onClick={() => setOpen(true)}>
          Archive project
        </GuardedButton>
      </p>
      <Confirm
        title={`Archive ${project.name}?`}
        open={open}
        onOpenChange={setOpen}
        verb="Archive"
        busy={archive.isPending}
        error={archive.error}
        onConfirm={() => archive.mutate()}
      >
        Its sessions stop now. Reading it afterwards says that it is archived.
      </Confirm>
    </section>
  )
}
