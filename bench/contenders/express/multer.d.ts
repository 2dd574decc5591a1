/** The part of multer's types that the uploads benchmark uses. Its own types are a separate package. */
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
