/** Owns: the list of published posts, newest first, read live. Not: a post's text. */
import { useQuery_experimental as useQueryState } from "convex/react";
import { Link } from "react-router-dom";
import { api } from "../../convex/_generated/api.js";
import { readableDate } from "./dates.ts";
import { Failed, Loading } from "./states.tsx";
import { texts } from "./texts.ts";

const SKELETON_POSTS = 4;

function PostListSkeleton() {
  return (
    <Loading>
      <ul className="posts">
        {Array.from({ length: SKELETON_POSTS }, (_, row) => (
          <li key={row} className="posts-row">
            <span className="grey grey-title" />
            <span className="grey grey-line" />
            <span className="grey grey-meta" />
          </li>
        ))}
      </ul>
    </Loading>
  );
}

export function PostList() {
  const state = useQueryState({ query: api.content.listPosts, args: {} });
  if (state.status === "pending") return <PostListSkeleton />;
  if (state.status === "error") return <Failed error={state.error} />;
  if (state.data.length === 0) return <p className="quiet">{texts.posts.none}</p>;
  return (
    <ul className="posts">
      {state.data.map((post) => (
        <li key={post.slug} className="posts-row">
          <Link to={`/posts/${post.slug}`} className="posts-title">
            {post.title}
          </Link>
          <p className="posts-description">{post.description}</p>
          <p className="posts-meta tabular">
            <time dateTime={post.date}>{readableDate(post.date)}</time>
            <span>{texts.minutes(post.readMinutes)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
