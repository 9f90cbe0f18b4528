/[?&]css=off(?:&|$)/.test(location.search) && document.currentScript.previousElementSibling.remove();
