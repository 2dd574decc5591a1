/** As much of multer as the uploads benchmark uses; its own types are a package apart. */
declare module 'multer' {
  import type { RequestHandler } from 'express'

  export type StoredFile = {
    filename: string
    originalname: string
    mimetype: string
    size: number
  }

  type Multer = { single(field: string): RequestHandler }

  export default function multer(options: { dest: string; limits: { fileSize: number } }): Multer
}
