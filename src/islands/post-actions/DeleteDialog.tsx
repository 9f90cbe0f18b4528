/** "Confirm deletion" (spec 2, "Post view"). */

import { deletePostText } from '#blog/messages/delete-post.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';

interface DeleteDialogProps {
  readonly open: boolean;
  readonly busy: boolean;
  readonly title?: string | undefined;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function DeleteDialog({ open, busy, title, onClose, onConfirm }: DeleteDialogProps) {
  return (
    <Dialog
      open={open}
      title={deletePostText.deleteTitle}
      description={deletePostText.deleteQuestion}
      busy={busy}
      onClose={onClose}
      actions={
        <>
          <Button tone="quiet" ref={focusFirst} disabled={busy} onClick={onClose}>
            {deletePostText.deleteCancel}
          </Button>
          <Button tone="danger" busy={busy} onClick={onConfirm}>
            {deletePostText.deleteConfirm}
          </Button>
        </>
      }
    >
      {title && (
        <p dir="auto" className="border-s-2 border-edge ps-3 font-serif text-lg wrap-anywhere">
          {title}
        </p>
      )}
    </Dialog>
  );
}
