import { createGzip } from 'node:zlib'
import type { Snapshot } from '@svc/db/backups'
import { rowsFile, sequencesFile } from '../format/manifest.ts'
import type { PartWriter } from '../format/part-writer.ts'

/** Every table of the snapshot as the text of COPY. */
export async function writeRows(writer: PartWriter, snapshot: Snapshot): Promise<void> {
  for (const table of snapshot.tables) {
    const rows = snapshot.copy(table)
    const packed = createGzip()
    // A loss of the connection ends the part with an error, and not with half of the rows.
    rows.once('error', (error) => packed.destroy(error))
    await writer.write(rowsFile(table), rows.pipe(packed))
  }
  await writer.write(sequencesFile, Buffer.from(JSON.stringify(snapshot.sequences)))
}
