/**
 * Texts that several screens share, and the error catalogue. Quotes from the specification (1, 2, 5, 8) stay verbatim.
 */

export const en = {
  formText: {
    titleRequired: 'Enter a title.',
    titleTooLong: 'Use at most {most} characters in the title; it has {length}.',
    slugRequired: 'Enter a slug.',
    slugOfMarks: 'Use at least one letter or number in the slug.',
    slugCharacters: 'Use only lowercase letters a-z, numbers, dots, hyphens and underscores.',
    slugStart: 'Start the slug with a letter or a number.',
    slugTooLong: 'Use at most {most} characters in the slug; it has {length}.',
    slugReserved:
      'A page can’t have this slug: it is or begins like an address of the site itself, or has a dot. Taken: {list}.',
    contentTooLong:
      'The text is too long to be stored: {length} characters of HTML, and at most {most} fit. Split it into two posts.',
    contentTooMarked:
      'The text has too many parts: about {elements} list items, table cells, headings, links and the like, and at most {most} fit. Split it into several posts.',
    hourPassed: 'That time has passed. Choose a later one, or clear it.',
    hoursBackwards: 'The post would be unpublished before it is published.',
    statusRequired: 'Choose a status: active or inactive.',
    imageRequired: 'Please select a featured image for your post',
    imageType: 'Choose a PNG, JPG, JPEG or GIF image.',
    imageTooLarge: 'Choose an image of at most {most} MB; this one is {size} MB.',
  },

  shellText: {
    loading: 'Loading...',
    preparing: 'Preparing your blog experience',
    checkingAccess: 'Checking access...',
    home: 'Home',
    login: 'Login',
    signup: 'Signup',
    allPosts: 'All Posts',
    addPost: 'Add Post',
    editPost: 'Edit Post',
    account: 'Account',
    yourAccount: 'Your account',
    theSite: 'The site',
    logout: 'Logout',
    logoutFailed: 'You’re still signed in. The server didn’t answer; try again.',
  },

  homeText: {
    writePost: 'Write a New Post',
    createFirst: 'Create Your First Post',
  },

  loginText: {
    title: 'Sign in to your account',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    submitting: 'Signing in…',
  },

  listText: {
    loading: 'Loading posts...',
    retry: 'Retry',
    sessionEnded: 'Your session has ended. Nothing was changed.',
    signedOut: 'You are no longer signed in.',
  },

  postFormText: {
    title: 'Title',
    slug: 'Slug',
    slugLocked: 'Slug is generated when the post is created and can’t be changed later.',
    content: 'Content',
    featuredImage: 'Featured Image',
    chooseImage: 'Choose a picture, or drop or paste one here',
    chooseAnother: 'Choose another picture',
    imageHelp: 'PNG, JPG, JPEG or GIF, at most 10 MB.',
    status: 'Status',
    submit: 'Submit',
    update: 'Update',
    preview: 'Preview',
    details: 'Tags, excerpt, language, page',
    versions: 'Former versions',
    compare: 'Compare the two',
    closeNotice: 'Close',
    changedElsewhere: 'This post was changed elsewhere after you opened it. Your text is still here.',
    loading: 'Loading...',
    notFound: 'Post not found.',
    titleExample: 'For example: What ink remembers',
    slugHelp: 'The address will be {path}',
    about: 'About the post',
    active: 'Active',
    inactive: 'Inactive',
    activeHelp: 'Everyone can read it.',
    inactiveHelp: 'Readers cannot see it.',
    hours: 'Publish or unpublish later',
    shareDraft: 'Share this draft',
    takenOffHelp: 'It will be unpublished. Readers can no longer see it.',
    notYours: 'Only the author of this post can edit it.',
    read: 'Read the post',
    notLoaded:
      'This part couldn’t be loaded. What you wrote is kept. Check your connection and try again; if that doesn’t help, reload the page.',
    deletedElsewhere:
      'This post was deleted elsewhere while you had it open. Your text is still here, and you can move it to a new post.',
    newPost: 'New post',
  },

  draftText: {
    saved: 'Saved on this device {time}',
    savedOffline: 'Offline. Saved on this device {time}',
    offline: 'Offline',
    discard: 'Discard',
    discarded: 'Discarded.',
    undo: 'Undo',
    sending: 'Sending… You can edit again when it’s done.',
    withoutPicture: 'Saved on this device {time}, but there is no room for its pictures',
    full: 'Not saved: this device’s storage is full',
    refused: 'Not saved: this window doesn’t keep data (private browsing?)',
  },

  sessionText: {
    ended: 'You’re no longer signed in. Your text is still here; sign in to publish it.',
    title: 'Sign in again',
  },

  pictureText: {
    onlyThere: 'This picture couldn’t be copied along with the text. Copy it on its own, or drop its file here.',
    upload: 'Upload of {name}',
    waiting: 'Waiting',
    preparing: 'Preparing',
    cancel: 'Cancel',
    retry: 'Retry',
    remove: 'Remove',
    unsent: {
      one: 'One picture in the text could not be uploaded. Retry or remove it there, then save again.',
      other: '{count} pictures in the text could not be uploaded. Retry or remove them there, then save again.',
    },
    sent: '{percent} % · {done} of {total} {unit}',
    part: ' · part {part} of {parts}',
  },

  postText: {
    readMore: 'Read more',
    noImage: 'No image available',
    edit: 'Edit',
    delete: 'Delete',
    place: 'Put it in the navigation or footer',
    loading: 'Loading post...',
    notFound: 'Post not found',
    backHome: 'Go back to home',
    minutes: '{minutes} min read',
  },

  errorText: {
    line: 'Error: {message}',
    guest: 'User not authenticated - guest access',
    badCredentials: 'Invalid email or password.',
    tooManyAttempts: 'Too many attempts. Please retry later.',
    loginFailed: 'Something went wrong. Please try again later.',
    loginWithoutUser: 'Login succeeded but user details are unavailable.',
    tooManyRequests: 'Too many requests. Please try again later.',
    emailTaken: 'An account with this email already exists.',
    badFormat: 'Invalid email or password format.',
    notMember: 'Only members can write on this site. Ask the owner to add you. Your text is kept on this device.',
    otherAccount: 'This text was started with another account. Sign in with that one.',
    signupFailed: 'Unable to create account. Please try again.',
    signupWithoutUser: 'Account created but unable to fetch user details.',
    slugTaken: 'A post with this slug already exists. Change the title or slug and try again.',
    submitFailed: 'Failed to submit post',
    listFailed: 'Failed to fetch posts',
    viewFailed: 'Failed to fetch post',
    deleteFailed: 'Failed to delete post',
    statusFailed: 'Failed to change the status',
    uploadFailed: 'Failed to upload the image',
    unreachable: 'The server cannot be reached. Check your connection and try again.',
    tooLarge:
      'This is larger than the server accepts. Use a smaller picture, or ask the site’s operator to allow more.',
    /** @param megabytes the quota as the backend reports it */
    storageUsed:
      'You have used all of your storage ({megabytes} MB). Delete pictures or posts you no longer need, or ask the site’s operator.',
    noRoom: 'The server has run out of space. Try again later, or tell the site’s operator.',
    notProvisioned: 'The backend has no “{attribute}” yet. Run npm run provision to add it.',
    noRoomForText: 'The server has run out of space. Your text is kept on this device; try again later.',
    /** Shown if a proxy responded instead of the backend. */
    errorPage: 'The server answered with an error page ({status}). Try again later, or tell the site’s operator.',
  },
} as const;
