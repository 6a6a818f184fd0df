import { z } from '@hono/zod-openapi'
import { changeRequestMachine } from '@svc/change-request'
import { Metadata, Sha, Timestamp } from '../kit/common.ts'
import { ManifestIssue } from './manifest.ts'

export const ChangeRequest = z
  .object({
    cr_id: z.uuid(),
    account_id: z.uuid(),
    project_id: z.uuid(),
    number: z.int().openapi({ description: 'Per project, increasing, never used again' }),
    title: z.string(),
    description: z.string(),
    base_ref: z.string(),
    head_ref: z.string(),
    status: z.enum(changeRequestMachine.states),
    head_commit_sha: Sha.nullable(),
    base_commit_sha: Sha.nullable(),
    origin_session_id: z.uuid().nullable(),
    created_by: z.uuid(),
    merged_at: Timestamp.nullable(),
    merged_by: z.uuid().nullable(),
    merge_commit_sha: Sha.nullable(),
    closed_at: Timestamp.nullable(),
    closed_by: z.uuid().nullable(),
    metadata: Metadata.openapi({ description: '`requested_changes`: array of `{ text, by, at }`' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('ChangeRequest')

export const DiffFile = z
  .object({
    path: z.string(),
    old_path: z.string().nullable(),
    status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'typechange']),
    additions: z.int(),
    deletions: z.int(),
    binary: z.boolean(),
  })
  .openapi('DiffFile')

const changeParts = {
  files: z.array(DiffFile),
  files_changed: z.int(),
  additions: z.int(),
  deletions: z.int(),
  patch: z.string().openapi({ description: 'Unified patch' }),
  patch_truncated: z
    .boolean()
    .openapi({ description: 'The patch was cut at a file boundary; `files` is whole' }),
}

const diffParts = {
  base_ref: z.string(),
  head_ref: z.string(),
  base_sha: Sha,
  head_sha: Sha,
  merge_base: Sha.nullable(),
  ...changeParts,
}

export const Commit = z
  .object({
    sha: Sha,
    parents: z.array(Sha),
    author: z.object({ name: z.string(), email: z.string(), at: Timestamp }),
    message: z.string(),
  })
  .openapi('Commit')

export const CommitChanges = z.object({ commit: Commit, ...changeParts }).openapi('CommitChanges')

export const ChangeRequestDiff = z.object({ cr_id: z.uuid(), ...diffParts }).openapi('ChangeRequestDiff')

/** Of two branches, without a change request between them. */
export const Comparison = z.object(diffParts).openapi('Comparison')

export const SessionDiff = z
  .object({
    ...diffParts,
    source: z.enum(['branch', 'checkpoint']).openapi({
      description: 'The branch, or the work in progress that was saved last where that is newer',
    }),
  })
  .openapi('SessionDiff')

/** A file that a person has looked at, by the SHA-256 of the part of the patch that is about it. */
export const ViewedFile = z
  .object({
    path: z.string(),
    patch_hash: z.string().openapi({ description: 'SHA-256 of its part of the patch, in hexadecimal' }),
  })
  .openapi('ViewedFile')

export const MergePreview = z
  .object({
    base_sha: Sha,
    head_sha: Sha,
    merge_base: Sha.nullable().openapi({ description: 'Common ancestor; null when histories are unrelated' }),
    is_up_to_date: z.boolean().openapi({ description: '`head_ref` is fully contained in `base_ref`' }),
    can_merge: z.boolean().openapi({ description: 'No conflicts' }),
    can_fast_forward: z.boolean().openapi({ description: 'Head is strictly ahead of base' }),
    conflicts: z.array(z.string()).openapi({ description: 'Paths that would conflict' }),
    ahead: z.int(),
    behind: z.int(),
    manifest: z
      .object({
        valid: z.boolean(),
        issues: z.array(ManifestIssue),
        blocks: z.boolean().openapi({
          description:
            'It stands in the way of the merge. Not where the manifest of the base is invalid too and this one adds no error to it',
        }),
      })
      .openapi({ description: 'The verdict on the manifest of the head' }),
  })
  .openapi('MergePreview')
