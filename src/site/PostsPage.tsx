/** Owns: the page of all posts. Not: the list itself (PostList.tsx). */
import { PostList } from "./PostList.tsx";
import { texts } from "./texts.ts";
import { usePageTitle } from "./usePageTitle.ts";

export function PostsPage() {
  usePageTitle(texts.posts.title);
  return (
    <>
      <h1 className="page-title">{texts.posts.title}</h1>
      <PostList />
    </>
  );
}
