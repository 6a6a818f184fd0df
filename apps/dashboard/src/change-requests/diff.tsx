import type { ChangeRequestDiff } from '@svc/sdk'
import { Empty } from '../parts/empty.tsx'
import { Table } from '../parts/table.tsx'
import { type PatchFile, patchFiles } from './patch.ts'

/** Longer ones stay closed until the person opens them. */
const maxOpenLines = 500

export function Diff({ diff }: { readonly diff: ChangeRequestDiff }) {
  const { files, files_changed, additions, deletions } = diff
  if (files.length === 0) return <Empty title="No file differs." />
  return (
    <>
      <p>
        {files_changed} {files_changed === 1 ? 'file' : 'files'}; lines added: {additions}, removed:{' '}
        {deletions}
      </p>
      <Table caption="Files that change" columns={['File', 'Change', 'Added', 'Removed']}>
        {files.map(({ path, old_path, status, binary, ...lines }) => (
          <tr key={path}>
            <th scope="row">
              <code>{old_path === null ? path : `${old_path} → ${path}`}</code>
            </th>
            <td>{binary ? `${status}, binary` : status}</td>
            <td>{lines.additions}</td>
            <td>{lines.deletions}</td>
          </tr>
        ))}
      </Table>
      {patchFiles(diff.patch).map((file) => (
        <FilePatch key={file.path} file={file} />
      ))}
      {diff.patch_truncated && (
        <p className="notice">
          The rest is too long to be shown here: read it with <code>git diff</code> or{' '}
          <code>svc cr diff</code>.
        </p>
      )}
    </>
  )
}

function FilePatch({ file: { path, lines } }: { readonly file: PatchFile }) {
  return (
    <details className="patch" open={lines.length <= maxOpenLines}>
      <summary>
        <code>{path}</code>
      </summary>
      <pre tabIndex={0} aria-label={`Changes of ${path}`}>
        {lines.map(({ kind, text }, index) => (
          <span key={index} className={kind}>
            {`${text}\n`}
          </span>
        ))}
      </pre>
    </details>
  )
}
