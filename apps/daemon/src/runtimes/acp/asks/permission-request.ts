import { permissionOf } from '@svc/harness'
import { z } from 'zod'
import { insideOf } from '../../../shared/inside-of.ts'
import { commandsOf } from '../../agent-files/permissions.ts'
import { ToolUpdate } from '../schemas.ts'

export const PermissionRequest = z.object({
  sessionId: z.string(),
  toolCall: ToolUpdate,
  options: z.array(z.object({ optionId: z.string(), name: z.string().catch(''), kind: z.string() })),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>

const Input = z
  .object({
    command: z.union([z.string(), z.array(z.string()).transform((words) => words.join(' '))]).optional(),
    file_path: z.string().optional(),
    filePath: z.string().optional(),
    path: z.string().optional(),
  })
  .catch({})

/** The permission of an agent's file that a request is under, and the texts that its patterns are held against. */
export function subjectOf(
  { toolCall }: Pick<PermissionRequest, 'toolCall'>,
  workspace: string,
  /** The kind of the call, where an update before this request named it. */
  known_kind: string | undefined,
): { readonly permission: string; readonly patterns: string[] } {
  const kind = toolCall.kind ?? known_kind ?? 'other'
  const permission = permissionOf(kind)
  const input = Input.parse(toolCall.rawInput ?? {})
  if (kind === 'execute') return { permission, patterns: commandsOf(input.command ?? toolCall.title ?? '*') }
  const named = [
    ...(toolCall.locations ?? []).map(({ path }) => path),
    ...[input.file_path ?? input.filePath ?? input.path].flatMap((path) => path ?? []),
  ]
  const patterns = [...new Set(named)].map((path) => insideOf(workspace, path))
  return { permission, patterns: patterns.length === 0 ? ['*'] : patterns }
}
