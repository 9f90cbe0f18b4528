import { useEffect, useState } from 'react';
import { previewUrl } from '#blog/images.ts';
import { versionText } from '#blog/messages/versions.ts';
import { currentSite } from '#stores/site.ts';

interface FeaturedPictureProps {
  /** Id of a stored file (empty for none), or a file on this device. */
  readonly picture: string | File;
  /** Read out before the picture to name its side. */
  readonly label: string;
}

export function FeaturedPicture({ picture, label }: FeaturedPictureProps) {
  const [url, setUrl] = useState<string>();
  const [gone, setGone] = useState(false);
  useEffect(() => {
    setGone(false);
    if (typeof picture === 'string') {
      setUrl(picture ? previewUrl(currentSite(), picture, { width: 480, height: 320 }) : undefined);
      return;
    }
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  const name = typeof picture === 'string' ? '' : picture.name;
  return (
    <>
      <span className="sr-only">{label} </span>
      {picture === '' || gone ? (
        <span>{gone ? versionText.pictureGone : versionText.noPicture}</span>
      ) : (
        url && <img src={url} alt={name || versionText.picture} onError={() => setGone(true)} />
      )}
    </>
  );
}
