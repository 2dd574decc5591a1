/** All routes of archives. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { exportLibrary } from './export/export-library.ts'
import { exportSession } from './export/export-session.ts'
import { exportShared } from './export/export-shared.ts'
import { admitByCode } from '../share-links/share-links.ts'
import { importLibrary, readLibraryImport, refuseSecondImport } from './import/import-library.ts'
import { importSession } from './import/import-session.ts'

export const archiveRoutes = [
  route(api.archives.exportSession, exportSession),
  route(api.archives.exportLibrary, exportLibrary),
  route(api.archives.exportShared, exportShared, { admitGuest: admitByCode }),
  route(api.archives.importLibrary, importLibrary, { admit: refuseSecondImport }),
  route(api.archives.readLibraryImport, readLibraryImport),
  route(api.imports.importSession, importSession),
]
