import { listSearch } from '@millrace/interface/list';
import { createRoute } from '@tanstack/react-router';
import type { ShellRoute } from '../screens.tsx';
import { ReviewList } from './review-list.tsx';
import { ReviewPage } from './review-page.tsx';

export function reviewRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({ getParentRoute, path: '/review-queue', component: ReviewList, validateSearch: listSearch }),
    createRoute({ getParentRoute, path: '/review-queue/$requestId', component: ReviewPage }),
  ] as const;
}
