import { appdFile } from '../../../shared/tools/tools.ts'
import { filesFolder, imagePlaces, loaderFolder } from '../../../engine/image-files.ts'

/** Copies `svc-appd` with Node, the loader and all libraries of Node to where another image finds them below `/opt/svc`. */
export function prepareScript(target: string): string {
  const at = (path: string) => path.replace(/^\/opt\/svc/, target)
  const { tools, boot } = imagePlaces
  const lib = `${tools}/lib`
  return `set -e
mkdir -p ${at(tools)}/bin ${at(lib)} ${at(loaderFolder)} ${at(filesFolder)}
cp ${boot} ${at(boot)}
cp ${tools}/bin/node ${at(tools)}/bin/
cp ${lib}/${appdFile} ${lib}/package.json ${at(lib)}/
for file in $(ldd ${tools}/bin/node | grep -o '/[^ ]*'); do cp -L "$file" ${at(loaderFolder)}/; done
mv ${at(loaderFolder)}/ld-* ${at(loaderFolder)}/loader
`
}
