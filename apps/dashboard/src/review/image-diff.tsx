import { isApiError } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Loaded } from '../parts/loaded.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { imageType } from './image-type.ts'
import type { FilePatch } from './patch-parts.ts'

interface Props {
  readonly project_id: string
  readonly part: FilePatch
  readonly base_ref: string
  readonly head_ref: string
}

/** A binary file of both sides: an image beside what it was, of anything else that its bytes differ. */
export function ImageDiff({ project_id, part: { file }, base_ref, head_ref }: Props) {
  if (imageType(file.path) === null) return <p className="hint p-3">A binary file; its bytes differ.</p>
  return (
    <div className="grid gap-3 p-3 md:grid-cols-2">
      {file.status !== 'added' && (
        <Side title="Before" project_id={project_id} path={file.old_path ?? file.path} gitRef={base_ref} />
      )}
      {file.status !== 'deleted' && (
        <Side title="After" project_id={project_id} path={file.path} gitRef={head_ref} />
      )}
    </div>
  )
}

interface SideProps {
  readonly title: string
  readonly project_id: string
  readonly path: string
  readonly gitRef: string
}

function Side({ title, project_id, path, gitRef }: SideProps) {
  const { files } = useClient().projects
  const image = useQuery({
    queryKey: ['image', project_id, gitRef, path],
    queryFn: async () => {
      try {
        const { content, encoding } = await files.read(project_id, { path, ref: gitRef })
        const bytes =
          encoding === 'base64'
            ? Uint8Array.from(atob(content), (char) => char.charCodeAt(0))
            : new TextEncoder().encode(content)
        return new Blob([bytes], { type: imageType(path) ?? '' })
      } catch (error) {
        if (isApiError(error) && error.status === 404) return null
        throw error
      }
    },
  })
  return (
    <figure className="grid gap-1">
      <figcaption className="faint">{title}</figcaption>
      <Loaded query={image}>
        {(blob) =>
          blob === null ? (
            <p className="hint">Not there any more.</p>
          ) : (
            <Shown blob={blob} alt={`${title}: ${path}`} />
          )
        }
      </Loaded>
    </figure>
  )
}

function Shown({ blob, alt }: { readonly blob: Blob; readonly alt: string }) {
  const [src, setSrc] = useState<string | null>(null)
  useEffect(() => {
    const url = URL.createObjectURL(blob)
    setSrc(url)
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return src === null ? null : <img src={src} alt={alt} className="max-h-96 border border-n6 bg-n3" />
}
