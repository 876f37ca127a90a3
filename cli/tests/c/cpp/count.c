/* What came, each with its number. */
void count(letters_receiver *letters) {
    for (;;) {
        int32_t letter[2];
        letters_receive(letters, &letter, BERYL_FOREVER);
        beryl_tell(2, (uint32_t)(letter[0] * 100 + letter[1]));
    }
}
