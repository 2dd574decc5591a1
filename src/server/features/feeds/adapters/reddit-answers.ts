/** The fields of Reddit's answers that we read. https://www.reddit.com/dev/api lists the calls. */
import { z } from 'zod'
import { lenient, shortList } from '../reading/lenient-shapes.ts'

/** The maximum number of posts in an import. */
const maxThings = 1000
export const maxPerGallery = 100

const picture = z.object({
  url: z.string(),
  width: lenient(z.number()),
  height: lenient(z.number()),
})

const video = z.object({
  fallback_url: z.string(),
  width: lenient(z.number()),
  height: lenient(z.number()),
  transcoding_status: lenient(z.string()),
})

const hosted = lenient(
  z.object({
    reddit_video: lenient(video),
    /** The embed data of another site. */
    oembed: lenient(z.object({ thumbnail_url: lenient(z.string()) })),
  }),
)

const preview = z.object({
  enabled: lenient(z.boolean()),
  images: lenient(
    z.array(
      z.object({
        source: picture,
        resolutions: lenient(z.array(lenient(picture))),
        variants: lenient(z.object({ gif: lenient(z.object({ source: picture })) })),
      }),
    ),
  ),
  reddit_video_preview: lenient(video),
})

/** An item of a gallery. A failed one has only a status. */
const metadata = z.object({
  status: lenient(z.string()),
  e: lenient(z.string()),
  s: lenient(
    z.object({
      u: lenient(z.string()),
      gif: lenient(z.string()),
      mp4: lenient(z.string()),
      x: lenient(z.number()),
      y: lenient(z.number()),
    }),
  ),
  p: lenient(z.array(lenient(z.object({ u: z.string(), x: lenient(z.number()) })))),
})

const galleryItem = z.object({ media_id: z.string(), is_deleted: lenient(z.boolean()) })

const plainPost = z.object({
  id: z.string().min(1),
  subreddit: lenient(z.string()),
  title: lenient(z.string()),
  author: lenient(z.string()),
  permalink: lenient(z.string()),
  score: lenient(z.number()),
  num_comments: lenient(z.number()),
  created_utc: lenient(z.number()),
  over_18: lenient(z.boolean()),
  spoiler: lenient(z.boolean()),
  thumbnail: lenient(z.string()),
  url: lenient(z.string()),
  url_overridden_by_dest: lenient(z.string()),
  removed_by_category: lenient(z.string()),
  secure_media: hosted,
  media: hosted,
  preview: lenient(preview),
  gallery_data: lenient(
    z.object({ items: lenient(shortList(maxPerGallery).pipe(z.array(lenient(galleryItem)))) }),
  ),
  media_metadata: lenient(z.record(z.string(), lenient(metadata))),
})

export const post = plainPost.extend({
  crosspost_parent_list: lenient(z.array(lenient(plainPost))),
})

export type RedditPost = z.infer<typeof plainPost> & {
  crosspost_parent_list?: z.infer<typeof post>['crosspost_parent_list']
}

const thing = lenient(z.object({ kind: z.string(), data: z.unknown() }))

const listing = z.object({
  kind: z.literal('Listing'),
  data: z.object({
    children: shortList(maxThings).pipe(z.array(thing)),
    after: lenient(z.string()),
  }),
})

/** A single post is returned as two listings: the post and its comments. */
export const listings = z.union([z.array(listing).min(1), listing.transform((one) => [one])])

export const token = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
})
