package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// words are what the texts that scan and grep read consist of. The last ones are rare.
var words = strings.Fields(`the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were her all
she there would their we him been has when who will more no if out so said what up its about into than them can only other new some could time these two may then do
first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just
those people mr how too little state good very make world still own see men work long get here between both life being under never day same another know while last
TODO FIXME`)

// writeTexts writes files of about a size into a new folder: lines of words, the same with each call.
func writeTexts(dir string, files, size int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range files {
		text := make([]byte, 0, size+80)
		for line := 0; len(text) < size; {
			n := len(words)
			if random.IntN(1000) > 0 {
				n -= 2
			}
			text = append(text, words[random.IntN(n)]...)
			if line++; line%12 == 0 {
				text = append(text, '\n')
			} else {
				text = append(text, ' ')
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.txt", i)), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
