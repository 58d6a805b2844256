package io.anser.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SysFlagTest {
    @Test
    void replacesOnlyTheTransactionPart() {
        assertThat(SysFlag.withTransaction(0x35, SysFlag.TRANSACTION_COMMIT)).isEqualTo(0x39);
        assertThat(SysFlag.withTransaction(0x3D, SysFlag.TRANSACTION_NONE)).isEqualTo(0x31);
        assertThat(SysFlag.transaction(0x3D)).isEqualTo(SysFlag.TRANSACTION_ROLLBACK);
    }
}
