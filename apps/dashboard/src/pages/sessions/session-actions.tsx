import { Menu } from '@base-ui/react/menu'
import type { Session } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, Pencil, Play, RotateCcw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Confirm } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { exportTranscript } from './export-transcript.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { type SessionVerb, verbsOf } from './session-verbs.ts'
import { GuardedButton } from '../../parts/guarded-button.tsx'

const verbs = {
  stop: { name: 'Stop', busy: 'Stopping…', icon: Square },
  start: { name: 'Start', busy: 'Starting…', icon: Play },
  restart: { name: 'Restart', busy: 'Restarting…', icon: RotateCcw },
} as const

interface Props {
  readonly session: Session
  readonly reread: () => Promise<void>
}

/** Actions on the session as a whole. */
export function SessionActions({ session, reread }: Props) {
  const { project_id, session_id, status } = session
  const client = useClient()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const act = useMutation({
    mutationFn: (verb: SessionVerb) => client.projects.sessions[verb](project_id, session_id),
    onSettled: reread,
  })
  const remove = useMutation({
    mutationFn: () => client.projects.sessions.delete(project_id, session_id),
    onSuccess: () => navigate({ to: '/projects/$project_id/sessions', params: { project_id } }),
  })
  const save = useMutation({ mutationFn: () => exportTranscript(client, project_id, session_id) })
  return (
    <>
      {verbsOf(status).map((verb) => {
        const { name, busy, icon: Icon } = verbs[verb]
        return (
          <GuardedButton
            needs={verb === 'stop' ? 'project.session.stop' : 'project.session.start'}
            key={verb}
            type="button"
            className="button"
            disabled={act.isPending}
            onClick={() => act.mutate(verb)}
          >
            <Icon aria-hidden />
            {act.isPending && act.variables === verb ? busy : name}
          </GuardedButton>
        )
      })}
      <Menu.Root>
        <Menu.Trigger className="button icon" aria-label="More actions">
          <Ellipsis aria-hidden />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} className="z-30">
            <Menu.Popup className="menu" aria-label="More actions">
              <Menu.Item className="menu-item" onClick={() => setDialog('rename')}>
                <Pencil aria-hidden className="glyph" />
                Rename
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => save.mutate()}>
                <Download aria-hidden className="glyph" />
                Export
              </Menu.Item>
              <Menu.Item className="menu-item danger" onClick={() => setDialog('delete')}>
                <Trash2 aria-hidden className="glyph" />
                Delete
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <Failure error={act.error ?? save.error} />
      {dialog === 'rename' && (
        <RenameDialog session={session} onClose={() => setDialog(null)} reread={reread} />
      )}
      <Confirm
        title={`Delete the session ${session.name ?? session_id.slice(0, 8)}?`}
        open={dialog === 'delete'}
        onOpenChange={(open) => setDialog(open ? 'delete' : null)}
        verb="Delete"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        Its sandbox goes and it cannot be started again. The branch with what was pushed stays.
      </Confirm>
    </>
  )
}
